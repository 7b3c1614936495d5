// What other areas may use of the networks of devices.
export {
  applyNetwork,
  isWanted as isNetworkWanted,
  networksOf,
  noNetwork,
  saysNothing as saysNothingOfNetwork,
  whoSaidNetwork,
  type NetworkContent,
  type NetworkNow,
} from './fleet-network.ts'
export { decryptNetworkSecrets, encryptNetworkSecrets } from './network-rows.ts'
export { noteEsimEnded } from './note-esim-ended.ts'
export { noteUndone } from './note-undone.ts'
