; Captures the definitions in JavaScript code. Values inside a @local node are not definitions.
[(function_declaration) (generator_function_declaration) (method_definition)] @function
(class_declaration) @type
[(variable_declarator) (field_definition)] @value
[
  (function_declaration) (generator_function_declaration) (method_definition)
  (arrow_function) (function_expression) (generator_function)
] @local
