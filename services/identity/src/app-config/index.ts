import { type Mount, mount } from "@ems/kit/rpc/service";
import { AppConfigService } from "@ems/proto/identity/v1/app_config_service";
import type { Deps } from "../deps.ts";
import { getAppConfig } from "./get-app-config.ts";

export const appConfig = (deps: Deps): Mount => mount(AppConfigService, { getAppConfig: getAppConfig(deps) });
