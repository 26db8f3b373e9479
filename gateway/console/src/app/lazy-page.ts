import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";

interface PageModule {
  readonly default: RouteComponent;
}

/**
 * Loads a page's code when it is opened. If that fails, the page shows the error and Retry. The router would reload the
 * document instead, which is lost while the network or the server is away.
 */
export const lazyPage = (load: () => Promise<PageModule>) =>
  lazyRouteComponent(async (): Promise<PageModule> => {
    try {
      return await load();
    } catch (error) {
      throw new TypeError("The page's code could not be loaded", { cause: error });
    }
  });
