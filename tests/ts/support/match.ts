/** The matchers of tests/scenarios/README.md. `mismatch` tells the first place that does not match; undefined if all does. */
type Value = unknown;
type Members = Record<string, Value>;

const matchers: Record<string, (actual: Value, wanted: Value) => boolean> = {
  $any: () => true,
  $absent: (actual) => actual === undefined,
  $has: (actual, text) => textOf(actual).includes(String(text)),
  $lacks: (actual, text) => !textOf(actual).includes(String(text)),
  $length: (actual, length) => lengthOf(actual) === length,
  $min: (actual, least) => typeof actual === 'number' && actual >= Number(least),
  $max: (actual, most) => typeof actual === 'number' && actual <= Number(most),
  $near: (actual, number) =>
    typeof actual === 'number' &&
    Math.abs(actual - Number(number)) <= 1e-12 * Math.max(Math.abs(actual), Math.abs(Number(number))),
  $some: (actual, wanted) => Array.isArray(actual) && actual.some((item) => mismatch(item, wanted) === undefined),
  $first_member: (actual, name) => isMembers(actual) && Object.keys(actual)[0] === name,
  $all: (actual, wanted) => (wanted as Value[]).every((one) => mismatch(actual, one) === undefined),
};

export function mismatch(actual: Value, wanted: Value, path = ''): string | undefined {
  if (isMembers(wanted) && Object.keys(wanted).some((name) => name in matchers)) {
    const failing = Object.entries(wanted).find(([name, value]) => !matchers[name]?.(actual, value));
    return failing && `${path || '/'}: ${shown(actual)} does not match ${shown({ [failing[0]]: failing[1] })}`;
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length !== wanted.length)
      return `${path || '/'}: ${shown(actual)} instead of ${shown(wanted)}`;
    return firstOf(wanted.map((item, i) => mismatch(actual[i], item, `${path}/${i}`)));
  }
  if (isMembers(wanted)) {
    if (!isMembers(actual)) return `${path || '/'}: ${shown(actual)} instead of ${shown(wanted)}`;
    return firstOf(Object.entries(wanted).map(([name, value]) => mismatch(actual[name], value, `${path}/${name}`)));
  }
  return Object.is(actual, wanted) ? undefined : `${path || '/'}: ${shown(actual)} instead of ${shown(wanted)}`;
}

function firstOf(found: (string | undefined)[]): string | undefined {
  return found.find((one) => one !== undefined);
}

function isMembers(value: Value): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: Value): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function lengthOf(value: Value): number | undefined {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  return isMembers(value) ? Object.keys(value).length : undefined;
}

function shown(value: Value): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 1000);
}
