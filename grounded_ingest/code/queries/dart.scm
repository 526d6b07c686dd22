; Captures the definitions in Dart code. Values inside a @local node are not definitions.
[(function_signature) (getter_signature) (setter_signature) (constructor_signature)] @function
[
  (class_definition) (enum_declaration) (mixin_declaration) (extension_declaration) (type_alias)
] @type
[(static_final_declaration) (initialized_identifier) (enum_constant)] @value
(function_body) @local
