import * as z from 'zod/mini'
import type { AssetType } from '../../assets/asset.ts'
import { Time } from '../../kernel/fields.ts'
import { deviceKindOf } from '../device-kind.ts'
import {
  ContainerName,
  Health,
  Image,
  mostPorts,
  mostVariables,
  mostVolumes,
  Port,
  ReportedContainer,
  RestartPolicy,
  Run,
  VariableName,
  VariableValue,
  Volume,
} from './container.ts'

/** Whether devices of a type run our agent, and so containers. */
export const runsContainers = (type: AssetType): boolean => deviceKindOf(type) === 'agent'

const ports = z.array(Port).check(
  z.maxLength(mostPorts, `Use at most ${mostPorts} ports`),
  z.refine((all) => new Set(all.map(({ host, protocol }) => `${host}/${protocol}`)).size === all.length, 'Use each port of the device once')
)
const volumes = z.array(Volume).check(z.maxLength(mostVolumes, `Use at most ${mostVolumes} volumes`))
/** A secret is never shown again. Left out, the value of one that is there stays. */
const GivenVariable = z.object({ name: VariableName, value: z.optional(VariableValue), secret: z._default(z.boolean(), false) })
const environment = z.array(GivenVariable).check(
  z.maxLength(mostVariables, `Use at most ${mostVariables} variables`),
  z.refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'Use each name once')
)

export const DeployContainerBody = z.object({
  name: ContainerName,
  image: Image,
  ports: z._default(ports, []),
  volumes: z._default(volumes, []),
  environment: z._default(environment, []),
  restart_policy: z._default(RestartPolicy, 'always'),
  health: z._default(z.nullable(Health), null),
})
export type DeployContainerBody = z.output<typeof DeployContainerBody>

/** What is left out stays; an empty list removes. With nothing at all the image is pulled anew. */
export const UpdateContainerBody = z.partial(
  z.object({ image: Image, ports, volumes, environment, restart_policy: RestartPolicy, health: z.nullable(Health) })
)
export type UpdateContainerBody = z.output<typeof UpdateContainerBody>

/** What is wanted, and beside it what the device reported last; null: nothing of it. */
export const Container = z.object({
  name: z.string(),
  image: z.string(),
  ports: z.array(Port),
  volumes: z.array(Volume),
  environment: z.array(z.object({ name: z.string(), value: z.nullable(z.string()), secret: z.boolean() })),
  restart_policy: RestartPolicy,
  health: z.nullable(Health),
  run: Run,
  generation: z.int(),
  created_at: Time,
  changed_at: Time,
  changed_by: z.string(),
  reported: z.nullable(ReportedContainer),
  /** The digest that its tag has in the registry of the account by now, where that is another than the one which runs. */
  newer_digest: z.nullable(z.string()),
})
export type Container = z.output<typeof Container>

/** What a container is to be, apart from the device that it is on. */
export type ContainerSpec = Pick<Container, 'name' | 'image' | 'ports' | 'volumes' | 'environment' | 'restart_policy' | 'health'>

export const Application = z.object({
  /** Null: no agent was set up for this asset. */
  device: z.nullable(
    z.object({
      id: z.string(),
      online: z.boolean(),
      since: z.nullable(Time),
      reported_at: z.nullable(Time),
      /** What is wanted, and what the device works at. */
      revision: z.int(),
      reported_revision: z.int(),
      engine: z.nullable(z.string()),
      /** Its processor, as images name it: `arm64`, `amd64`; null: it did not say. */
      architecture: z.nullable(z.string()),
      /** Why no container engine answers there. */
      engine_words: z.nullable(z.string()),
      agent_version: z.nullable(z.string()),
    })
  ),
  /** By name; there are few. */
  items: z.array(Container),
  /** The version that the device gets by its fleet: a rollout of it undoes what was changed here by hand. Null: it gets none, as the pilot. */
  fleet_version: z.nullable(z.int()),
  /** On the device still, and wanted no more. */
  leaving: z.array(ReportedContainer),
})
export type Application = z.output<typeof Application>

export const ContainerAction = z.enum(['start', 'stop', 'restart'])
export type ContainerAction = z.output<typeof ContainerAction>

/** Why an action makes no sense now; undefined: it does. */
export function containerCannot(action: ContainerAction, { run, reported }: Pick<Container, 'run' | 'reported'>): string | undefined {
  if (action === 'start') return run === 'running' && reported?.state !== 'exited' ? 'It is to run already' : undefined
  if (run === 'stopped') return action === 'stop' ? 'It is to be stopped already' : 'It is stopped: start it'
  return undefined
}

/** `pending`: the device is on its way there, or does not know yet. */
type ContainerStatus = 'right' | 'finished' | 'pending' | 'trouble'

/** How a container stands to what is wanted of it. */
export function containerStatus({ run, generation, restart_policy, reported }: Container): ContainerStatus {
  if (reported?.problem) return 'trouble'
  if (!reported || reported.generation !== generation) return 'pending'
  const isOn = reported.state === 'running'
  if (run === 'stopped') return reported.state === 'exited' || reported.state === 'created' ? 'right' : 'pending'
  if (isOn) return reported.health === 'unhealthy' ? 'trouble' : 'right'
  const hasEnded = reported.state === 'exited' && (restart_policy === 'no' || (restart_policy === 'on_failure' && reported.exit_code === 0))
  return hasEnded ? 'finished' : 'pending'
}
