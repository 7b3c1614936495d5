// What other areas may use of the networks of devices.
export { decryptNetworkSecrets, encryptNetworkSecrets } from './network-rows.ts'
export { noteEsimEnded } from './note-esim-ended.ts'
export { noteUndone } from './note-undone.ts'
