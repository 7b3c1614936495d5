// What other areas may use of devices with our agent.
export { decryptSecrets, encryptSecrets } from './container-rows.ts'
