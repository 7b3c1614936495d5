import type { DeployAppBody, UpdateAppBody } from '@masthead/contract/devices/agent/app-operations'
import type { Container } from '@masthead/contract/devices/agent/application'
import { appExists } from '@masthead/contract/devices/agent/problems'
import type { Actor, Tx } from '../../kernel/app.ts'
import { deployContainer, refuseUnknownImage, updateContainer } from './change-container.ts'

/** What an app says of its variables, as containers have them. */
const variablesOf = (environments: DeployAppBody['environments'], shown: Container['environment']) =>
  Object.entries(environments).map(([name, value]) => ({
    name,
    ...(value !== null && { value }),
    secret: shown.some((each) => each.name === name && each.secret),
  }))

export const deployApp = (tx: Tx, actor: Actor, asset_id: string, { environments, ...app }: DeployAppBody): Promise<void> =>
  deployContainer(
    tx,
    actor,
    asset_id,
    { ...app, environment: variablesOf(environments, []), restart_policy: 'always', health: null },
    appExists
  )

/** Throws agent_too_old. */
export async function updateApp(
  tx: Tx,
  actor: Actor,
  asset_id: string,
  name: string,
  { environments, ...app }: UpdateAppBody
): Promise<void> {
  await refuseUnknownImage(tx, actor, asset_id, app.image)
  await updateContainer(tx, actor, asset_id, name, ({ environment }) => ({
    ...app,
    ...(environments && { environment: variablesOf(environments, environment) }),
  }))
}
