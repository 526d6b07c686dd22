; Captures the definitions in Rust code. Values inside a @local node are not definitions.
; An @owner node gives its type as the owner of the definitions inside it, but defines no name.
[(function_item) (function_signature_item) (macro_definition)] @function
[
  (struct_item) (enum_item) (trait_item) (type_item) (union_item) (mod_item)
] @type
[(const_item) (static_item) (enum_variant) (field_declaration)] @value
(impl_item) @owner
[(function_item) (closure_expression)] @local
