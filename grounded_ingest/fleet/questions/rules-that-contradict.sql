-- Files with a value that differs from the repository $standard, and the first line with such a value.
SELECT o.repository, o.path, min(o.line) AS line, s.slot, s.subject,
  if(o.polarity, '', 'not ') || min(o.value) AS value, if(s.polarity, '', 'not ') || min(s.value) AS standard
FROM "references" s
JOIN "references" o ON o.about = s.about AND o.kind = 'fact' AND NOT o.many
  AND exclude(s.slot, s.normal, s.polarity, o.normal, o.polarity)
WHERE s.repository = $standard AND s.kind = 'fact' AND NOT s.many AND o.repository <> $standard
GROUP BY o.repository, o.path, s.slot, s.subject, o.polarity, s.polarity, o.normal, s.normal
ORDER BY ALL
