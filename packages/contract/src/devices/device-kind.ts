import type { AssetType } from '../assets/asset.ts'

/** `core`: an existing CORE device with its own agent. `agent`: the edge agent of this project. */
export const deviceKinds = ['core', 'agent'] as const
export type DeviceKind = (typeof deviceKinds)[number]

/** By which program a device of this type reports; null: it is a SIM alone. */
export function deviceKindOf(type: AssetType): DeviceKind | null {
  if (type === 'core') return 'core'
  return type === 'alpon_x4' || type === 'alpon_x5_ai' || type === 'axis_gw' ? 'agent' : null
}
