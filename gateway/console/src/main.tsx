// Mantine's styles are in a cascade layer, so that the console's styles win regardless of the loading order.
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./app/global.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/query.ts";
import { onSessionEnd } from "./api/send.ts";
import { ConflictNotice, showConflict } from "./app/conflict.tsx";
import { keepFocus } from "./app/keep-focus.ts";
import { nonce } from "./app/nonce.ts";
import { watchPrinting } from "./app/printing.ts";
import { createConsoleRouter, preloadOtherPages, preloadPage } from "./app/router.ts";
import { theme } from "./app/theme.ts";
import { cssVariables } from "./app/theme-variables.ts";
import { installPolicy } from "./app/trusted-types.ts";
import { hasUnsaved, writeUnsaved } from "./edits/unsaved.ts";
import { watchTabs } from "./session/other-tabs.ts";
import { isWaiting, signInAgain } from "./session/reauthenticate.ts";
import { sessionKey, sessionQuery } from "./session/session.ts";
import { watchCopies } from "./ui/copy-tables.ts";

installPolicy();
watchPrinting();
watchCopies();
keepFocus();

const queryClient = createQueryClient({
  onConflictOfSessions: showConflict,
  onRefused: () => void queryClient.invalidateQueries({ queryKey: sessionKey }),
});
const router = createConsoleRouter(queryClient);

/** Time for the first page to load its data and charts before other pages' code. */
const preloadAfterMs = 4_000;

function leave(): void {
  const { pathname, href } = router.latestLocation;
  if (pathname === "/sign-in") return;
  queryClient.clear();
  void router.navigate({ to: "/sign-in", search: { from: href, failed: "ended" }, replace: true });
}
// Nothing that was typed or started is lost when the session ends: people sign in above the page, and the request is
// sent again.
onSessionEnd(async ({ method }) => {
  if (method !== "get" || hasUnsaved() || isWaiting()) return signInAgain();
  leave();
  return false;
});
watchTabs((change) => {
  if (change === "signed-in") return;
  if (hasUnsaved()) void signInAgain();
  else leave();
});
window.addEventListener("load", () => setTimeout(preloadOtherPages, preloadAfterMs, router));
window.addEventListener("pagehide", () => writeUnsaved());
// A file that is dropped next to its field must not replace the page.
for (const type of ["dragover", "drop"] as const)
  window.addEventListener(type, (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
// Load the session and the page's code in parallel.
void queryClient.prefetchQuery(sessionQuery);
void preloadPage(router);

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
        <ConflictNotice />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
