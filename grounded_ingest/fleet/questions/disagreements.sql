-- Values of one thing that cannot all hold; own affairs of each repository last.
SELECT shared, slot, subject, value, repositories, claims, repository, path, line
FROM contradictions ORDER BY shared DESC, slot, subject, setting, repositories DESC, value
