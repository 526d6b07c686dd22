; Captures the definitions in C# code. Values inside a @local node are not definitions.
[(method_declaration) (constructor_declaration) (delegate_declaration)] @function
[
  (class_declaration) (struct_declaration) (interface_declaration) (enum_declaration)
  (record_declaration)
] @type
[(property_declaration) (variable_declarator) (enum_member_declaration)] @value
[(method_declaration) (constructor_declaration) (lambda_expression)] @local
