// What the server takes of CORE.
export { mountDeploy } from './enrol/mount-deploy.ts'
