; What C# defines. @local: values inside it are local and no definitions.
[(method_declaration) (constructor_declaration) (delegate_declaration)] @function
[
  (class_declaration) (struct_declaration) (interface_declaration) (enum_declaration)
  (record_declaration)
] @type
[(property_declaration) (variable_declarator) (enum_member_declaration)] @value
[(method_declaration) (constructor_declaration) (lambda_expression)] @local
