-- Which files disagree with what the repository $standard says of the same thing, and in which line first.
SELECT o.repository, o.path, min(o.line) AS line, s.slot, s.subject,
  if(o.polarity, '', 'not ') || min(o.value) AS value, if(s.polarity, '', 'not ') || min(s.value) AS standard
FROM "references" s
JOIN contradictions c ON c.about = s.about AND c.normal = s.normal AND c.polarity = s.polarity
JOIN "references" o ON o.about = s.about AND o.kind = 'fact'
  AND (o.normal <> s.normal) = (o.polarity AND s.polarity) AND (o.polarity OR s.polarity)
JOIN contradictions d ON d.about = o.about AND d.normal = o.normal AND d.polarity = o.polarity
WHERE s.repository = $standard AND s.kind = 'fact' AND o.repository <> $standard
GROUP BY o.repository, o.path, s.slot, s.subject, o.polarity, s.polarity, o.normal, s.normal
ORDER BY ALL
