-- Which claims disagree with what the repository $standard says of the same thing.
SELECT DISTINCT o.repository, o.path, o.line, s.slot, s.subject, o.value, s.value AS standard
FROM "references" s
JOIN contradictions c ON c.about = s.about AND c.normal = s.normal AND c.polarity = s.polarity
JOIN "references" o ON o.about = s.about AND o.normal <> s.normal AND o.kind = 'fact'
JOIN contradictions d ON d.about = o.about AND d.normal = o.normal AND d.polarity = o.polarity
WHERE s.repository = $standard AND s.kind = 'fact' AND o.repository <> $standard
ORDER BY ALL
