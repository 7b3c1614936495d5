// What other areas may use of devices with our agent.
export { getAgentDevice } from './agent-device.ts'
export { offeredAgent } from './offered-agent.ts'
export { isOwnImage, ownHosts, type OwnHosts } from './own-hosts.ts'
export { updateAgents } from './update-many.ts'
export { deviceOf } from './desired-state.ts'
export { actorOfDevice, devicePassKey, isDevicePass } from './registry-pass.ts'
export { deviceKnowsImage, updateContainer } from './change-container.ts'
export { applyContainers, type Content } from './apply-containers.ts'
export { countDeployed, countDevices, findDeployed, keyOfImage, listDeployed, neededByDevices, repositoryOf } from './deployed-images.ts'
export {
  architectureOf,
  decryptSecrets,
  encryptSecrets,
  readApplication as readAgentApplication,
  getApplications as getAgentApplications,
  secretsByContainer,
  wantedOf,
  type Secrets,
} from './container-rows.ts'
