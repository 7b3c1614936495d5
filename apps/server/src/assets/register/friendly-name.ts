import type { AssetType } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'

/** What a new asset is called until somebody gives it a name: "ALPON X4 240117", by the end of its serial number; no dash stands at the beginning of that. */
export const friendlyName = (type: AssetType, serial: string) =>
  `${assetTypes[type].split(' + ')[0]} ${serial.slice(-6).replace(/^[^\p{L}\p{N}]+/u, '') || serial}`
