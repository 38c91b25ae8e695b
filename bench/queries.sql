-- Ten questions to 3 M flights, the same text for all contenders. Statements are parted by ";" at a line's end.

-- count
SELECT count(*) AS flights, avg(delay) AS delay, min(date) AS first, max(date) AS last FROM flights;

-- group, few
SELECT month(date) AS month, count(*) AS n, avg(delay) AS delay FROM flights GROUP BY 1 ORDER BY 1;

-- group, many
SELECT date, count(*) AS n, sum(distance) AS miles FROM flights GROUP BY 1 ORDER BY n DESC, date LIMIT 10;

-- top-n
SELECT date, origin, destination, delay FROM flights ORDER BY delay DESC, date, origin, destination LIMIT 10;

-- distinct
SELECT count(DISTINCT origin || '-' || destination) AS routes, count(DISTINCT date) AS minutes FROM flights;

-- filter on text
SELECT count(*) AS n, avg(delay) AS delay FROM flights WHERE origin LIKE 'S%' AND contains(destination, 'A');

-- join
SELECT state, count(*) AS n, avg(delay) AS delay FROM flights JOIN airports ON origin = iata
GROUP BY 1 ORDER BY n DESC, state LIMIT 10;

-- window
SELECT avg(abs(delay - before)) AS step
FROM (SELECT delay, lag(delay) OVER (PARTITION BY origin ORDER BY date, destination, delay) AS before FROM flights);

-- correlation
SELECT corr(delay, distance) AS correlation, regr_slope(delay, distance) AS slope FROM flights;

-- median
SELECT origin, median(delay) AS typical FROM flights GROUP BY 1 ORDER BY typical DESC, origin LIMIT 10;
