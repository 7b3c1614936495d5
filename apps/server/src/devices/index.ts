// What other areas may use of devices.
export { runsSince } from './broker/broker-row.ts'
export { configureDevices } from './configure-many.ts'
export { cutDevice } from './cut-device.ts'
export { decryptCoreToken, encryptCoreToken, enrolDevice, findCoreToken, type DeviceLogin } from './enrol-device.ts'
export { getDevice } from './get-device.ts'
export { sendDirective } from './send-directive.ts'
export { updateDevices } from './update-many.ts'
export { mountUpgrade, type GiveSocket } from './upgrade.ts'
