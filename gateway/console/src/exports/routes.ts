import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";

export const exportRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/settings/exports",
    component: lazyPage(() => import("./exports-page.tsx")),
  }),
] as const;
