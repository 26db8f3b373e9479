// `helm test`: checks that every URL returns 200. Retries for a minute, because a release may still be starting.
const untilMs = Date.now() + 60_000;
let failed = 0;
for (const url of process.argv.slice(1)) {
  let status;
  do {
    status = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status,
      ({ message, cause }) => cause?.message ?? message,
    );
    if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 1_000));
  } while (status !== 200 && Date.now() < untilMs);
  console.log(`${status === 200 ? "ok  " : "FAIL"} ${url} ${status}`);
  if (status !== 200) failed += 1;
}
// Stop a sidecar that a service mesh injected; it would not end otherwise.
const { SIDECAR_QUIT_URL: quitUrl } = process.env;
if (quitUrl) await fetch(quitUrl, { method: "POST", signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
process.exit(failed === 0 ? 0 : 1);
