; Captures the definitions in TypeScript code, with or without JSX.
; Values inside a @local node are not definitions.
[
  (function_declaration) (generator_function_declaration) (method_definition)
  (function_signature) (method_signature) (abstract_method_signature)
] @function
[
  (class_declaration) (abstract_class_declaration) (interface_declaration)
  (type_alias_declaration) (enum_declaration) (internal_module) (module)
] @type
[
  (variable_declarator) (public_field_definition) (property_signature) (enum_assignment)
] @value
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
