; What Java defines. @local: values inside it are local and no definitions.
[(method_declaration) (constructor_declaration)] @function
[
  (class_declaration) (interface_declaration) (enum_declaration) (record_declaration)
  (annotation_type_declaration)
] @type
[(variable_declarator) (enum_constant)] @value
[(method_declaration) (constructor_declaration) (lambda_expression)] @local
