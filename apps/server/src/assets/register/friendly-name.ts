import type { AssetType } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'

/** What a new asset is called until somebody gives it a name: "ALPON X4 240117". */
export const friendlyName = (type: AssetType, serial: string) => `${assetTypes[type].split(' + ')[0]} ${serial.slice(-6)}`
