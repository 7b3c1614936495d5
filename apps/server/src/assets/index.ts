// What other areas may use of assets.
export { friendlyName } from './friendly-name.ts'
export { claimStock, insertAssets, type NewAsset } from './insert-assets.ts'
