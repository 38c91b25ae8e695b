-- Ten questions to 1 M flights in words that DuckDB, PostgreSQL and SQLite all understand. Parted as those of ../queries.sql.

-- count
SELECT count(*) AS flights, avg(delay) AS delay, min(date) AS earliest, max(date) AS latest FROM flights;

-- group, few
SELECT CASE WHEN delay < 0 THEN 'early' WHEN delay < 15 THEN 'on time' ELSE 'late' END AS arrival, count(*) AS n,
  avg(distance) AS miles FROM flights GROUP BY 1 ORDER BY 1;

-- group, many
SELECT date, count(*) AS n, sum(distance) AS miles FROM flights GROUP BY date ORDER BY n DESC, date LIMIT 10;

-- top-n
SELECT date, origin, destination, delay FROM flights ORDER BY delay DESC, date, origin, destination LIMIT 10;

-- distinct
SELECT count(DISTINCT origin || '-' || destination) AS routes, count(DISTINCT date) AS minutes FROM flights;

-- filter on text
SELECT count(*) AS n, avg(delay) AS delay FROM flights WHERE origin LIKE 'S%' AND destination LIKE '%A%';

-- join
SELECT state, count(*) AS n, avg(delay) AS delay FROM flights JOIN airports ON origin = iata
GROUP BY state ORDER BY n DESC, state LIMIT 10;

-- window
SELECT avg(abs(delay - earlier)) AS step
FROM (SELECT delay, lag(delay) OVER (PARTITION BY origin ORDER BY date, destination, delay) AS earlier FROM flights) AS f;

-- covariance
SELECT avg(1.0 * delay * distance) - avg(delay) * avg(distance) AS covariance FROM flights;

-- best of each
SELECT origin, destination, n FROM (
  SELECT origin, destination, count(*) AS n, row_number() OVER (PARTITION BY origin ORDER BY count(*) DESC, destination) AS place
  FROM flights GROUP BY origin, destination) AS r
WHERE place = 1 ORDER BY n DESC, origin LIMIT 10;
