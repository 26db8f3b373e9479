import { Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Detail } from "../ui/detail.tsx";
import { Page } from "../ui/page.tsx";
import { TwoColumns } from "../ui/two-columns.tsx";
import { PriceEditor } from "./price-editor.tsx";
import { getModelPrices } from "./price-requests.ts";
import { RepricePanel } from "./reprice-panel.tsx";

const route = getRouteApi("/signed-in/settings/model-prices");
const noModels: readonly string[] = [];

export default function ModelPricesPage() {
  const { model: models = noModels } = route.useSearch();
  const request = getModelPrices();
  return (
    <Detail request={request} title="Model prices">
      {(_, loaded) => (
        <Page
          title="Model prices"
          description={
            <Stack gap={0} maw={880}>
              <span>
                US dollars per million tokens, for models that the price list lacks or prices differently. Other models
                keep their list price.
              </span>
              <span>New prices apply to steps that arrive afterwards.</span>
            </Stack>
          }
          requests={[request]}
        >
          <TwoColumns>
            <PriceEditor loaded={loaded} models={models} />
            <RepricePanel />
          </TwoColumns>
        </Page>
      )}
    </Detail>
  );
}
