import type { Operation } from '@masthead/contract/kernel/operation'
import { callRows } from './test-calls.ts'

// Who may call what, written by hand and not read from the contract: when an access there changes, matrix.test.ts fails until somebody says
// here that it was meant. A call that is added needs a row, too: in the `test-calls.ts` of its area.

/** Calls by what people need for them. */
const byPeople: Record<string, string> = {
  public: `auth.getSetup auth.login auth.register auth.getSecondStep auth.passSecondStep auth.challengePasskey auth.signInWithPasskey
    account.requestPasswordReset account.resetPassword account.checkPasswordLink account.confirmEmail`,
  signed_in: `auth.logout auth.getUserInfo auth.switchAccount auth.listIdentities auth.linkIdentity auth.proveByIdentity auth.unlinkIdentity
    account.getAccount account.updatePerson account.getSecurity account.prove account.changePassword account.changeEmail account.mailEmailProof
    account.removeEmailChange account.startAuthenticator account.confirmAuthenticator account.removeAuthenticator
    account.renewRecoveryCodes account.startPasskey account.addPasskey account.updatePasskey account.removePasskey account.listSessions
    account.removeSession account.endOtherSessions
    account.getClosing account.closeAccount account.reopenAccount account.startExport account.getExportLines
    teams.listInvitations teams.approveInvitation teams.rejectInvitation teams.listMemberships teams.leaveTeam
    activities.listActivities activities.exportActivities activities.getActivity activities.getChain
    notifications.readAlerts notifications.setPreference networks.listNetworks
    backoffice.enterBackoffice backoffice.stopViewing demo.listMail`,
  'overview.view': 'overview.getOverview',
  'assets.view': `assets.listAssets assets.getAsset assets.listAssetSessions assets.getSimUsages assets.listSimCorrections
    assets.exportAssets assets.listTimeline assets.listUsedNetworks assets.listEnforcements assets.getEnforcementFigures
    assets.getEnforcement assets.getBulkChange assets.listLeftAssets tags.listTags`,
  'assets.edit': `assets.updateAsset assets.activateSim assets.deactivateSim assets.previewBulkChange assets.startBulkChange
    tags.createTag tags.updateTag tags.deleteTag`,
  'assets.register': 'assets.registerAsset',
  'usage.view': 'usage.getTotalUsage usage.exportTotalUsage',
  'notifications.view': 'notifications.listAlerts notifications.getAlert notifications.getSummary notifications.getPreference',
  'notifications.edit': 'notifications.acknowledgeAlerts',
  'developers.view': `developers.listApiKeys developers.getApiKey developers.listWebhooks developers.getWebhook developers.listWebhookEvents
    developers.listDeliveries developers.getDelivery`,
  'developers.edit': `developers.createApiKey developers.updateApiKey developers.rotateApiKey developers.disableApiKey
    developers.enableApiKey developers.deleteApiKey developers.createWebhook developers.updateWebhook developers.rotateWebhook
    developers.disableWebhook developers.enableWebhook developers.testWebhook developers.deleteWebhook developers.replayDelivery`,
  'profile.view': 'teams.getTeam',
  'profile.edit': `account.updateAccount teams.updateInvitation teams.resendInvitation teams.makeInvitationLink teams.deleteInvitation teams.removeMember
    teams.demandSecondFactor`,
  backoffice: `backoffice.leaveBackoffice backoffice.getHome backoffice.listSearchHits backoffice.getStaffAsset backoffice.getStaffDevice backoffice.holdSim
    backoffice.releaseSim backoffice.listAccounts backoffice.getCustomer backoffice.listCustomerAssets backoffice.suspendAccount
    backoffice.resumeAccount backoffice.proveEmail backoffice.updateFeatureFlags backoffice.updateGroups backoffice.setTestAllowance backoffice.setRegistryQuota backoffice.addNote backoffice.viewAccount
    backoffice.loadInventory backoffice.listStock backoffice.assignStock backoffice.transferStock backoffice.listCorrections`,
  manage_devices: 'backoffice.listBrokers backoffice.listBrokerClients backoffice.cutBrokerClient',
  manage_networks: `backoffice.listGateways backoffice.addGateway backoffice.updateGateway backoffice.rotateGatewaySecret
    backoffice.addGatewayAddress backoffice.updateGatewayAddress backoffice.removeGatewayAddress backoffice.joinGateways backoffice.listRefusedSenders
    backoffice.removeGateway backoffice.listOperators backoffice.listOperatorRates backoffice.updateOperator backoffice.setOperatorRate
    backoffice.importNetworks backoffice.listQuarantine backoffice.getQuarantineTotals backoffice.matchQuarantine
    backoffice.discardQuarantine`,
  manage_usage: 'backoffice.getCorrectionPreview backoffice.correctUsage backoffice.undoCorrection',
  audit_logs: 'backoffice.listStaffLog backoffice.exportStaffLog',
  manage_staff: 'backoffice.updateStaff',
}

/** What keys need where it is not the permission that people need: a scope, `any` key, or `none` may. */
const byKeys: Record<string, string> = {
  any: 'account.getAccount networks.listNetworks',
  none: `teams.demandSecondFactor notifications.getPreference terminal.openTerminal terminal.joinTerminal terminal.allowSupport terminal.refuseSupport
    terminal.updateSupportConsent terminal.updateAccessCode terminal.removeAccessCode terminal.openTunnel terminal.updateTunnelRules`,
  'overview.view': 'activities.listActivities activities.exportActivities activities.getActivity activities.getChain',
}

export const staffRights = new Set([
  'backoffice',
  'audit_logs',
  'manage_networks',
  'manage_datapools',
  'manage_staff',
  'manage_usage',
  'manage_billing',
  'manage_devices',
  'manage_support',
])

const turned = (lists: Record<string, string>) =>
  new Map(Object.entries(lists).flatMap(([right, calls]) => calls.split(/\s+/).map((name) => [name, right] as const)))
const [ofPeople, ofKeys] = [turned(byPeople), turned(byKeys)]
for (const [name, { access }] of Object.entries(callRows)) ofPeople.set(name, access)

/** Calls that have a row. */
export const accessRows = [...ofPeople.keys()]

/** What a person, and a key, must have for a call. Throws where it has no row. */
export function accessTo({ name }: Pick<Operation, 'name'>): { person: string; key: string } {
  const person = ofPeople.get(name)
  if (person === undefined) throw new Error(`test-access.ts has no row for ${name}`)
  const forPeopleAlone = person === 'public' || person === 'signed_in' || staffRights.has(person)
  return { person, key: ofKeys.get(name) ?? (forPeopleAlone ? 'none' : person) }
}
