import { problem } from '../../kernel/problem.ts'
import { mostWifi } from './settings.ts'

export const apnNotSet = problem({
  code: 'apn_not_set',
  status: 409,
  title: 'Set an APN first: user and password are those of an APN',
  error: 'ErrorNoApn',
})
export const networkNotWanted = problem({
  code: 'network_not_wanted',
  status: 409,
  title: 'Nothing is wanted of the network of this device',
})
export const wifiPasswordMissing = problem({ code: 'wifi_password_missing', status: 409, title: 'Enter the password of this network' })
export const tooManyWifi = problem({
  code: 'too_many_wifi',
  status: 409,
  title: `A device has at most ${mostWifi} Wi-Fi networks set from here`,
})
export const esimNotWaiting = problem({
  code: 'esim_not_waiting',
  status: 409,
  title: 'The device has begun it and was here within the last hour, or there is nothing to withdraw',
})
export const esimBusy = problem({ code: 'esim_busy', status: 409, title: 'The device is changing its eSIM profiles already' })
