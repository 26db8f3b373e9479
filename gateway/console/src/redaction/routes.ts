import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";

export const redactionRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/redaction",
    component: lazyPage(() => import("./redaction-page.tsx")),
  }),
] as const;
