import { assetNotFound } from '../../assets/problems.ts'
import { notFound, problem, type ProblemKind } from '../../kernel/problem.ts'
import { mostContainers } from './container.ts'

/** The same problem of an asset of a type that runs no agent of ours. */
export const onOtherAsset = (kind: ProblemKind): ProblemKind => ({ ...kind, error: 'AssetNotAlponDevice' })
export const runsNoAgent = 'Devices of this type run no agent of ours'

export const assetRunsNoContainers = problem({
  code: 'asset_runs_no_containers',
  status: 409,
  title: 'Devices of this type run no containers',
  error: 'AssetNotAlponDevice',
})
export const deviceNotEnrolled = problem({
  code: 'device_not_enrolled',
  status: 409,
  title: 'The device is not set up yet: make a claim code first',
  error: 'DeviceNotReachable',
})
export const appNotFound = problem({ ...notFound, error: 'AppNotFound' })
export const notFoundOnOther = onOtherAsset(notFound)
/** What calls for an asset answer of a type that runs no agent of ours; calls for a device that is not there as well, for a container, and for a container on a device. */
export const needsOurType = [assetNotFound, onOtherAsset(deviceNotEnrolled)] as const
export const needsDevice = [...needsOurType, deviceNotEnrolled] as const
export const needsContainer = [assetNotFound, notFoundOnOther, appNotFound] as const
export const needsBoth = [...needsDevice, appNotFound] as const
export const containerExists = problem({
  code: 'container_exists',
  status: 409,
  title: 'A container of this name is deployed on this device',
  error: 'ContainerExists',
})
/** The same, for those who deploy it as an app. */
export const appExists = problem({ ...containerExists, error: 'AppExists' })
export const tooManyContainers = problem({
  code: 'too_many_containers',
  status: 409,
  title: `A device runs at most ${mostContainers} containers`,
})
export const portTaken = problem({
  code: 'port_taken',
  status: 409,
  title: 'Another container of this device has this port',
  error: 'ErrorPortInUse',
})
export const containerWrongState = problem({
  code: 'container_wrong_state',
  status: 409,
  title: 'The container is not in a state that allows this',
})
export const certificateNotSet = problem({
  code: 'certificate_not_set',
  status: 409,
  title: 'The device has no certificate to sign in with: it uses its token',
})
export const agentUpToDate = problem({
  code: 'agent_up_to_date',
  status: 409,
  title: 'The server has no newer agent than the one that this device reported',
})
export const agentTooOld = problem({
  code: 'agent_too_old',
  status: 409,
  title: 'The agent of this device is too old for this image: update the agent first',
})
