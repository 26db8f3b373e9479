import type { FastifyInstance } from "fastify";
import type { Route } from "../rest/routes.ts";
export async function registerReference(_app: FastifyInstance, _routes: Route[]): Promise<void> {}
