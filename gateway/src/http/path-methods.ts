// The methods of each path: an unknown path is 404, a method that the path does not have 405 with `Allow`.

import type { FastifyInstance } from "fastify";

export class PathMethods {
  readonly #routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  /** Registers all routes that are added to `app` from now on. */
  constructor(app: FastifyInstance) {
    app.addHook("onRoute", ({ url, method }) => {
      const route = this.#routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const name of [method].flat()) route.methods.add(name);
      this.#routes.set(url, route);
    });
  }

  /** Sorted; empty for an unknown path. */
  of(url: string): string[] {
    const [path = ""] = url.split("?", 1);
    const methods = [...this.#routes.values()].flatMap((route) => (route.pattern.test(path) ? [...route.methods] : []));
    return [...new Set(methods)].sort();
  }
}

function patternOf(url: string): RegExp {
  const escaped = url.split(/:\w+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join("[^/]+")}$`);
}
