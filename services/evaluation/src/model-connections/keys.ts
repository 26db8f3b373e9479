import type { SecretBox } from "@ems/kit/secret-box";
import type { ModelConnectionRow } from "./entity.ts";

type Key = Pick<ModelConnectionRow, "apiKey" | "apiKeyLastFour">;
type Place = Pick<ModelConnectionRow, "applicationId" | "id">;

const toContext = ({ applicationId, id }: Place) => `${applicationId}/model-connection/${id}`;

/** Minimum length of a key for displaying its last four characters. */
const hintMin = 16;

/** Encrypts a key and returns the columns that store it. */
export function sealKey(box: SecretBox, place: Place, key: string): Key {
  if (key === "") return { apiKey: "", apiKeyLastFour: null };
  return { apiKey: box.seal(key, toContext(place)), apiKeyLastFour: key.length < hintMin ? null : key.slice(-4) };
}

export function openKey(box: SecretBox, row: Place & Pick<Key, "apiKey">): string {
  return row.apiKey === "" ? "" : box.open(row.apiKey, toContext(row));
}
