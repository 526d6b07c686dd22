; Captures the definitions in Ruby code. Values inside a @local node are not definitions.
[(method) (singleton_method) (alias)] @function
[(class) (module)] @type
(assignment) @value
[(method) (singleton_method) (lambda) (block) (do_block)] @local
