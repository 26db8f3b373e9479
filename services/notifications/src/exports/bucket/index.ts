export { type Bucket, bucketUrl, openBucket } from "./bucket.ts";
export { BucketFault } from "./fault.ts";
