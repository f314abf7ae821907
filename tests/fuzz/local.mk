# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
