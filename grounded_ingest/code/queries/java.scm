; Captures the definitions in Java code. Values inside a @local node are not definitions.
[(method_declaration) (constructor_declaration)] @function
[
  (class_declaration) (interface_declaration) (enum_declaration) (record_declaration)
  (annotation_type_declaration)
] @type
[(variable_declarator) (enum_constant)] @value
[(method_declaration) (constructor_declaration) (lambda_expression)] @local
