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
import { ConflictNotice, showConflict } from "./app/conflict.tsx";
import { keepFocus } from "./app/keep-focus.ts";
import { nonce } from "./app/nonce.ts";
import { watchPrinting } from "./app/printing.ts";
import { createConsoleRouter, preloadPage } from "./app/router.ts";
import { theme } from "./app/theme.ts";
import { cssVariables } from "./app/theme-variables.ts";
import { installPolicy } from "./app/trusted-types.ts";
import { sessionKey, sessionQuery } from "./session/session.ts";

installPolicy();
watchPrinting();
keepFocus();

const queryClient = createQueryClient({
  onSignedOut() {
    // Forget the session. The signed-in route then reloads it and redirects to the sign-in page.
    queryClient.removeQueries({ queryKey: sessionKey });
    void router.invalidate();
  },
  onConflictOfSessions: showConflict,
  onRefused: () => void queryClient.invalidateQueries({ queryKey: sessionKey }),
});
const router = createConsoleRouter(queryClient);
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
