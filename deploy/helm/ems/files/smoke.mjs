// `helm test`: every address given answers 200. Tried for a minute, since a release may still be starting.
const untilMs = Date.now() + 60_000;
let failed = 0;
for (const url of process.argv.slice(1)) {
  let said;
  do {
    said = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status,
      ({ message, cause }) => cause?.message ?? message,
    );
    if (said !== 200) await new Promise((resolve) => setTimeout(resolve, 1_000));
  } while (said !== 200 && Date.now() < untilMs);
  console.log(`${said === 200 ? "ok  " : "FAIL"} ${url} ${said}`);
  if (said !== 200) failed += 1;
}
// A sidecar that a service mesh injected would run on.
const { SIDECAR_QUIT_URL: quitUrl } = process.env;
if (quitUrl) await fetch(quitUrl, { method: "POST", signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
process.exit(failed === 0 ? 0 : 1);
