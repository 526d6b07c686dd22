; Captures the definitions in JavaScript code. Values inside a @local node are not definitions.
[(function_declaration) (generator_function_declaration) (method_definition)] @function
(class_declaration) @type
[(variable_declarator) (field_definition)] @value
[
  (function_declaration) (generator_function_declaration) (method_definition)
  (arrow_function) (function_expression) (generator_function)
] @local
; Captures a variable for what another file defines: `x = require("y")`, `x = await import("y")`.
((variable_declarator value: [
  (call_expression function: (_) @_called)
  (await_expression (call_expression function: (_) @_called))
  (member_expression object: (call_expression function: (_) @_called))
]) @imported (#any-of? @_called "require" "import"))
