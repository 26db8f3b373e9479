import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "../app/lazy-page.ts";
import { signedInRoute } from "../app/signed-in-route.ts";
import { factUrl } from "./fact-requests.ts";

export const factRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: "/facts",
    validateSearch: factUrl.parse,
    component: lazyPage(() => import("./fact-list-page.tsx")),
  }),
] as const;
