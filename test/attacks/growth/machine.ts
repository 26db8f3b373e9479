// Converts time limits stated for one machine to others.

/** Milliseconds to read an object with 70,000 names on the machine of the stated limits. */
const referenceMs = 27;
const samples = 7;

/** Returns how many times slower this machine is, at least 1. */
export function slowness(): number {
  const times = Array.from({ length: samples }, (_, sample) => {
    const object = Object.fromEntries(Array.from({ length: 70_000 }, (__, name) => [`name ${sample} ${name}`, name]));
    const text = JSON.stringify(object);
    const startedMs = performance.now();
    JSON.parse(text);
    return performance.now() - startedMs;
  });
  const median = times.toSorted((a, b) => a - b)[Math.floor(samples / 2)] ?? referenceMs;
  return Math.max(1, median / referenceMs);
}
