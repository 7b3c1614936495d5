import { expect, test } from 'vitest'
import { friendlyName } from './friendly-name.ts'

test.each([
  ['alpon_x4', 'X4-240117', 'ALPON X4 240117'],
  ['core', 'CD-77', 'CORE Device CD-77'],
  // The last six would begin with a dash.
  ['plastic_sim', 'PS-BULK-00017', 'Plastic SIM 00017'],
  ['picolte', '------', 'Pico LTE ------'],
] as const)('an asset of type %s with the serial number %s is %s', (type, serial, name) => expect(friendlyName(type, serial)).toBe(name))
