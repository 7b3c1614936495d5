import type { Device } from '@masthead/contract/devices/device'

/** Why nobody could open a terminal on the device of an asset, so that asking for it is of no use; null: somebody can. */
export function askRefusal(device: Pick<Device, 'cut_at' | 'presence'> | null): string | null {
  if (!device || device.presence === 'never') return 'No device has connected for this asset yet'
  return device.cut_at ? 'The device is refused until it has other credentials' : null
}
