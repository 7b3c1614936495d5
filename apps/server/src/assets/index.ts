// What other areas may use of assets.
export { friendlyName } from './friendly-name.ts'
export { claimStock, insertAssets, type NewAsset } from './insert-assets.ts'
export { getAssetById } from './asset-rows.ts'
export { getSimForUpdate } from './asset-queries.ts'
export { listAssets } from './list-assets.ts'
export { listSessions } from './session-queries.ts'
