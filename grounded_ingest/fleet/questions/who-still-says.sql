-- Claims that contain $words, in upper or lower case: for example, "Node 16".
SELECT repository, path, line, claim
FROM claims WHERE contains(lower(claim), lower($words)) ORDER BY repository, path, line
