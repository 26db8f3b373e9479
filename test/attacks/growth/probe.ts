// Preloaded into the attacked process (`NODE_OPTIONS=--import`): reports CPU time and the event loop's longest hold.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { collectRequest, type ProbeReading, probeRequest } from "./probe-messages.ts";

/** A hold is too long by at most this much. */
const intervalMs = 2;

if (isMainThread && process.send !== undefined) {
  // CPU time instead of elapsed time: other processes of a busy machine hold no event loop of this one.
  const threadMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let [turnMs, holdMs] = [threadMs(), 0];
  const turn = () => {
    const nowMs = threadMs();
    holdMs = Math.max(holdMs, nowMs - turnMs);
    turnMs = nowMs;
  };
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  setInterval(turn, intervalMs).unref();
  process.on("message", (message) => {
    if (message !== probeRequest && message !== collectRequest) return;
    if (message === collectRequest) collect();
    turn();
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1_000, holdMs } satisfies ProbeReading);
    holdMs = 0;
  });
  process.channel?.unref();
}
