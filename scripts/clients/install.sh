# Sourced by properties that need clients of other makers: installs them into .venv-clients, again when the list changes.

readonly list=scripts/clients/requirements.txt
if ! command -v python3 > /dev/null; then
    echo "verify $what: skipped: there is no python3"
    exit 0
fi
if ! cmp --silent "$list" .venv-clients/installed; then
    rm -rf .venv-clients
    python3 -I -m venv .venv-clients
    .venv-clients/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
        --requirement "$list"
    cp "$list" .venv-clients/installed
fi
